namespace Mux.Runtime;

/// <summary>A connection whose deliveries run in turns.</summary>
internal interface ITurnHost
{
    /// <summary>True if <see cref="GoOn"/> is supported.</summary>
    bool CanHandOver { get; }

    /// <summary>
    /// Continues the delivery after <paramref name="position"/>, and all else that its thread had to do, on the calling thread, which has taken over the turn.
    /// </summary>
    void GoOn(int position);

    /// <summary>Sends the bytes appended in a turn of another host that had promised to flush them.</summary>
    void Flush();

    /// <summary>
    /// Reports that user code has kept a turn so long that another thread has taken over, or (<paramref name="refused"/>) that no thread was left to do so.
    /// </summary>
    void OnBlocked(Placement? code, bool refused);
}
