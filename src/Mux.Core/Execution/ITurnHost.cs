namespace Mux.Execution;

/// <summary>Whose deliveries run in turns: a connection.</summary>
internal interface ITurnHost
{
    /// <summary>Whether <see cref="GoOn"/> works.</summary>
    bool CanHandOver { get; }

    /// <summary>
    /// Goes on with the delivery behind <paramref name="position"/> on the calling thread, whose turn was handed over to it, and with all that its thread had
    /// to do.
    /// </summary>
    void GoOn(int position);

    /// <summary>Sends what was appended in a turn of another host that said it would see to it.</summary>
    void Flush();

    /// <summary>
    /// User code has kept a turn for so long that another thread went on, or (<paramref name="refused"/>) would have gone on if there had been one.
    /// </summary>
    void OnBlocked(Placement? code, bool refused);
}
