using Mux.Contracts;
using Mux.Serialization;

namespace Mux.Calls;

/// <summary>Leaves details of failures undecoded.</summary>
internal sealed class RawDetailCodec : DetailCodec
{
    public override int Encode(ref MessageWriter writer, object detail) => 0; // a caller receives details, and sends none

    public override object Decode(int number, ReadOnlySpan<byte> body) => new RawDetail(number, body.ToArray());
}
