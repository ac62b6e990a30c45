using Mux.Transports;

namespace Mux.Tests.Channels;

/// <summary>Says some words to what connects, and ends the connection or not.</summary>
internal sealed class SpeakingServer(Link link, byte[] words, bool closes) : ILinkHandler
{
    public void OnConnected()
    {
        link.Send(words);
        if (closes) link.ShutdownSend();
    }

    public int OnReceived(ReadOnlySpan<byte> bytes) => bytes.Length;

    public void OnBatchEnd()
    {
        // Nothing is collected.
    }

    public void OnWritable()
    {
        // All was accepted.
    }

    public void OnClosed(LinkCloseCause cause, Exception? error) => link.Close();
}
