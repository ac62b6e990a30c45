using System.Buffers.Text;
using System.Text;

namespace Mux.Wire;

/// <summary>What gateways add to the metadata of the calls that they forward (PROTOCOL.md section 4.3).</summary>
/// <param name="Hops">Number of gateways that the call has passed; 0 if it was not forwarded.</param>
/// <param name="Caller">Name of the user that made the call at the first gateway; null if the caller was anonymous. Only as credible as the peer.</param>
internal readonly record struct GatewayMarks(int Hops, string? Caller)
{
    public const string HopsKey = "mux-hops", CallerKey = "mux-caller";

    /// <summary>Most gateways that a call may pass. A call that has passed as many is in a loop.</summary>
    public const int MaxHops = 8;

    /// <summary>Most bytes of the name of a caller.</summary>
    public const int MaxCallerLength = 256;

    private static ReadOnlySpan<byte> Hop => "mux-hops"u8;

    private static ReadOnlySpan<byte> Name => "mux-caller"u8;

    /// <summary>Gets these marks with one reserved entry of a block. Entries that are not well-formed are ignored, as are keys that are not known.</summary>
    public GatewayMarks With(ReadOnlySpan<byte> key, ReadOnlySpan<byte> value)
    {
        if (key.SequenceEqual(Hop))
        {
            return Utf8Parser.TryParse(value, out byte hops, out int read) && read == value.Length ? this with { Hops = hops } : this;
        }

        return key.SequenceEqual(Name) && value.Length is > 0 and <= MaxCallerLength ? this with { Caller = Encoding.UTF8.GetString(value) } : this;
    }
}
