namespace Mux.Proto.Tests.Messages;

/// <summary>The codec that Mux made for a message.</summary>
internal abstract class EchoCodec
{
    public abstract Type Type { get; }

    public abstract byte[] Encode(object value);

    public abstract object Decode(ReadOnlySpan<byte> bytes);
}
