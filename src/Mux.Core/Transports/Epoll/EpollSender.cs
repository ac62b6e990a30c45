using System.Net.Sockets;
using Mux.Transports.Sockets;

namespace Mux.Transports.Epoll;

/// <summary>
/// The sending side of one link: gives bytes to the operating system on the caller's thread, and while that takes no more, has the loop watch for room. It
/// copies nothing, so what is accepted is the operating system's to bring out.
/// </summary>
internal sealed class EpollSender(EpollLink link, int socket, ILinkHandler handler)
{
    // 1 from a short send until OnWritable, while the loop watches for room: nothing is tried in between. Set by Send (one thread at a time), cleared by the
    // loop.
    private int _isStuck;

    // The first error, kept for the loop. From then on everything is accepted and dropped.
    private volatile SocketError _failure;

    /// <summary><see cref="SocketError.Success"/> while no send has failed.</summary>
    public SocketError Failure => _failure;

    /// <inheritdoc cref="Link.Send"/>
    public int Send(ReadOnlySpan<byte> bytes)
    {
        if (bytes.IsEmpty || _failure is not SocketError.Success || link.IsOver) return bytes.Length;
        if (Volatile.Read(ref _isStuck) != 0) return 0; // OnWritable is still to come
        int sent = Libc.Send(socket, bytes, out int error);
        if (sent == bytes.Length) return sent;
        if (sent >= 0 || error == Errno.Again)
        {
            WaitForRoom();
            return Math.Max(sent, 0);
        }

        Fail(Errno.ToSocketError(error));
        return bytes.Length;
    }

    /// <summary>The loop found room.</summary>
    public void OnRoom()
    {
        // First the watch, then the flag: once it is down, a send on another thread may set both again.
        link.AwaitRoom(isWanted: false);
        if (Interlocked.Exchange(ref _isStuck, 0) != 0 && !link.IsOver) handler.OnWritable();
    }

    private void WaitForRoom()
    {
        Volatile.Write(ref _isStuck, 1);
        link.AwaitRoom(isWanted: true); // reports at once if there is room by now
    }

    private void Fail(SocketError error)
    {
        _failure = error;

        // A broken connection wakes the loop, which first delivers what the peer sent before; anything else would leave it waiting.
        if (SocketFailure.CauseOf(error) is not LinkCloseCause.Reset) link.End(error);
    }
}
