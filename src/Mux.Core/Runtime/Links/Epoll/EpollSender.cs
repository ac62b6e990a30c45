using System.Net.Sockets;
using Mux.Transports;

namespace Mux.Runtime;

/// <summary>
/// The sending side of one link. Hands bytes to the kernel on the caller's thread; while the kernel accepts no more, the loop watches for room. Copies nothing:
/// the kernel delivers what it has accepted.
/// </summary>
internal sealed class EpollSender(EpollLink link, int socket, ILinkHandler handler)
{
    // 1 from a short send until OnWritable: the loop watches for room, and no send is tried. Set by Send (one thread at a time), cleared by the loop.
    private int _isStuck;

    // The first error, kept for the loop. All later bytes are accepted and dropped.
    private volatile SocketError _failure;

    /// <summary><see cref="SocketError.Success"/> until a send fails.</summary>
    public SocketError Failure => _failure;

    /// <inheritdoc cref="Link.Send"/>
    public int Send(ReadOnlySpan<byte> bytes)
    {
        if (bytes.IsEmpty || DropsAll) return bytes.Length;
        if (IsStuck) return 0;
        int sent = Libc.Send(socket, bytes, out int error);
        return sent == bytes.Length ? sent : OnRefused(sent, bytes.Length, error);
    }

    /// <inheritdoc cref="Link.SendPieces"/>
    public int SendPieces(ReadOnlySpan<ReadOnlyMemory<byte>> pieces)
    {
        int length = LengthOf(pieces);
        if (DropsAll) return length;
        if (IsStuck) return 0;
        int sent = Libc.SendPieces(socket, pieces, out int error);
        return sent == length ? sent : OnRefused(sent, length, error);
    }

    public static int LengthOf(ReadOnlySpan<ReadOnlyMemory<byte>> pieces)
    {
        int length = 0;
        foreach (var piece in pieces) length += piece.Length;
        return length;
    }

    /// <summary>Called by the loop when the socket has room.</summary>
    public void OnRoom()
    {
        // The watch first, then the flag: once the flag is cleared, a send on another thread may set both again.
        link.AwaitRoom(isWanted: false);
        if (Interlocked.Exchange(ref _isStuck, 0) != 0 && !link.IsOver) handler.OnWritable();
    }

    private bool DropsAll => _failure is not SocketError.Success || link.IsOver;

    /// <summary>True until <see cref="OnRoom"/>.</summary>
    private bool IsStuck => Volatile.Read(ref _isStuck) != 0;

    /// <summary>The kernel has accepted fewer bytes than it was given, or failed.</summary>
    /// <returns>The number of bytes accepted.</returns>
    private int OnRefused(int sent, int length, int error)
    {
        if (sent >= 0 || error == Errno.Again)
        {
            WaitForRoom();
            return Math.Max(sent, 0);
        }

        Fail(Errno.ToSocketError(error));
        return length;
    }

    private void WaitForRoom()
    {
        Volatile.Write(ref _isStuck, 1);
        link.AwaitRoom(isWanted: true); // fires at once if there is room by now
    }

    private void Fail(SocketError error)
    {
        _failure = error;

        // A broken connection wakes the loop, which first delivers what the peer sent before. Any other error must end the link here, or the loop would keep
        // waiting.
        if (SocketFailure.CauseOf(error) is not LinkCloseCause.Reset) link.End(error);
    }
}
