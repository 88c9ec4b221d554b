"""AVX-512 version of the Boggle search's inner step: all eight neighbours of a cell at once.

Equivalent to :func:`app.games.boggle.kernels.append_longer`, which is compiled for other processors; chosen
at compile time.
"""

from typing import Any


def append_longer_at_once() -> Any:
    """Return the Numba intrinsic, or None if the target processor lacks AVX-512."""
    from llvmlite import ir  # noqa: PLC0415 - needed for compilation only
    from numba import int64  # noqa: PLC0415
    from numba.core.registry import cpu_target  # noqa: PLC0415
    from numba.extending import intrinsic  # noqa: PLC0415

    _, _, features = cpu_target.target_context.codegen().magic_tuple()
    if "+avx512f" not in features.split(","):
        return None

    lane = ir.IntType(64)
    lanes = ir.VectorType(lane, 8)
    nothing = ir.Constant(lanes, None)
    flags = ir.VectorType(ir.IntType(1), 8)
    first_lane = ir.Constant(ir.VectorType(ir.IntType(32), 8), [0] * 8)

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        def in_all_lanes(number: Any) -> Any:
            vector = builder.insert_element(nothing, number, ir.Constant(lane, 0))
            return builder.shuffle_vector(vector, nothing, first_lane)

        def place(array: int, entry: Any) -> Any:
            data = context.make_array(signature.args[array])(context, builder, args[array]).data
            return builder.bitcast(builder.gep(data, [entry]), lanes.as_pointer())

        _, end, used, longer, letters, _, _, first = args
        letter_bits = builder.load(place(5, first), align=8)
        steps = builder.load(place(6, first), align=8)
        spelled = builder.icmp_signed("!=", builder.and_(letter_bits, in_all_lanes(letters)), nothing)
        free = builder.icmp_signed("==", builder.and_(steps, in_all_lanes(used)), nothing)
        kept = builder.and_(spelled, free)
        compress = builder.module.declare_intrinsic(
            "llvm.x86.avx512.mask.compress.v8i64", (), ir.FunctionType(lanes, [lanes, lanes, flags])
        )
        paths = builder.call(compress, [builder.or_(steps, in_all_lanes(longer)), nothing, kept])
        builder.store(paths, place(0, end), align=8)
        number = builder.ctpop(builder.bitcast(kept, ir.IntType(8)))
        return builder.add(end, builder.zext(number, lane))

    @intrinsic
    def append_longer(
        _typing: Any,
        queue: Any,
        _end: Any,
        _used: Any,
        _longer: Any,
        _letters: Any,
        letter_bits: Any,
        steps: Any,
        _first: Any,
    ) -> Any:
        return int64(queue, int64, int64, int64, int64, letter_bits, steps, int64), generate

    return append_longer
