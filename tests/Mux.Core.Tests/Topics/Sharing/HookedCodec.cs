using Mux.Contracts;
using Mux.Serialization;

namespace Mux.Core.Tests.Topics.Sharing;

/// <summary>Writes an item for another method than the shared one, after it has run code of the test.</summary>
internal sealed class HookedCodec(Action onEncode) : MessageCodec<Numbered>("hooked")
{
    public override void Encode(ref MessageWriter writer, Numbered message)
    {
        onEncode();
        writer.Write(new byte[16]);
    }

    public override Numbered Decode(ReadOnlySpan<byte> body) => new();
}
