namespace Mux.Serialization.Oracles.Shapes;

/// <summary>The generated codec of a shape's message, as the engine reaches it.</summary>
internal abstract class ShapeCodec
{
    public abstract Type Contract { get; }

    public abstract byte[] Encode(object value);

    public abstract object Decode(ReadOnlySpan<byte> bytes);
}
