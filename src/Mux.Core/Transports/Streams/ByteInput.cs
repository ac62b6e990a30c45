namespace Mux.Transports.Streams;

/// <summary>
/// The receiving direction of a connection: one read at a time, whose bytes are shown in pieces until they are used up. One thread at a time.
/// </summary>
/// <remarks>
/// Use: <see cref="Begin"/>; when it is completed <see cref="TryTake"/>; then <see cref="TryShow"/> and <see cref="TryConsume"/> until nothing new is left; and
/// again. <see cref="Release"/> at the end.
/// </remarks>
internal abstract class ByteInput
{
    /// <summary>Whether the last <see cref="TryTake"/> found the end of the stream, behind the bytes it took.</summary>
    public bool IsAtEnd { get; protected set; }

    /// <summary>Whether a wait or a read is under way, so that nothing may be given back.</summary>
    public virtual bool IsPending => false;

    /// <summary>Begins to wait for bytes, unless <see cref="TryTake"/> has already. Everything that was taken was shown.</summary>
    /// <returns>Whether <see cref="TryTake"/> has something to do.</returns>
    public abstract bool Begin();

    /// <summary>Calls back once when a wait is over.</summary>
    public abstract void OnCompleted(Action continuation);

    /// <summary>Takes the bytes that have come. Throws what the stream failed with, once there are none before it.</summary>
    /// <returns>False if none have: there is something to wait for again.</returns>
    public abstract bool TryTake();

    /// <summary>All that is unconsumed, in one piece, or as much of it as is in one.</summary>
    /// <returns>False if it would hold no new byte.</returns>
    public abstract bool TryShow(out ReadOnlySpan<byte> bytes);

    /// <summary>Drops consumed bytes from the front of what was shown last.</summary>
    /// <returns>False when a handler claims to have consumed what it was not given, or leaves more than a link may keep.</returns>
    public abstract bool TryConsume(int count);

    /// <summary>Shows what is unconsumed once more, new or not.</summary>
    public abstract void ShowAgain();

    /// <summary>Whether bytes are known to wait outside of this object. From any thread.</summary>
    public abstract bool HasWaiting { get; }

    /// <summary>Whether a connection that broke, which a write found out, always ends a pending read as well.</summary>
    public abstract bool FindsBreak { get; }

    /// <summary>Makes a read that is pending complete soon, where that is possible without the disposal of a stream. From any thread.</summary>
    /// <returns>Whether it does.</returns>
    public abstract bool TryCancel();

    /// <summary>Gives buffers back, and the direction if it has an end of its own. No read is pending.</summary>
    public abstract void Release();
}
