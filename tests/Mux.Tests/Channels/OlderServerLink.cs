using Mux.Protocol;
using Mux.TestSupport.Transports;
using Mux.Transports;

namespace Mux.Tests.Channels;

/// <summary>A link of an <see cref="OlderServerTransport"/>: gives the setting in the server's HELLO a key that no peer knows. HELLO comes in one delivery.</summary>
internal sealed class OlderServerLink(Link inner) : RelayLink(inner)
{
    private static readonly byte[] s_setting = [(byte)SettingKey.PingInterval, 0, 4, 0];

    private bool _helloSeen;

    public override int OnReceived(ReadOnlySpan<byte> bytes)
    {
        if (_helloSeen) return base.OnReceived(bytes);
        _helloSeen = true;
        var changed = bytes.ToArray();
        int at = changed.AsSpan().IndexOf(s_setting);
        Assert.True(at > 0, "The server announces no interval.");
        changed[at + 1] = byte.MaxValue;
        return base.OnReceived(changed);
    }
}
