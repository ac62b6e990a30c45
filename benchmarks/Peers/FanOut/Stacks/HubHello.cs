using System.Text;

namespace FanOut.Stacks;

/// <summary>What a bare socket sends to become a connection of a hub.</summary>
internal static class HubHello
{
    /// <summary>Length of the hub's answer to the handshake, which is counted like items: {} and the end of a record.</summary>
    public const int AnswerLength = 3;

    public static byte[] Of(string protocol)
    {
        string upgrade = $"GET {HubFeed.Path} HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAECAwQFBgcICQoLDA0ODw==\r\n\r\n";
        byte[] handshake = Encoding.ASCII.GetBytes($"{{\"protocol\":\"{protocol}\",\"version\":1}}\u001e");
        const byte LastText = 0x81, Masked = 0x80;
        return [.. Encoding.ASCII.GetBytes(upgrade), LastText, (byte)(Masked | handshake.Length), 0, 0, 0, 0, .. handshake]; // a mask of zeros changes nothing
    }
}
