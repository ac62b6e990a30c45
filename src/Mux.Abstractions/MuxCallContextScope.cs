namespace Mux;

/// <summary>The scope that <see cref="MuxCallContext.Enter"/> opens; disposing it ends the scope.</summary>
public readonly struct MuxCallContextScope : IDisposable
{
    private readonly MuxCallContext.Holder? _entered;
    private readonly MuxCallContext.Holder? _before;

    internal MuxCallContextScope(MuxCallContext.Holder entered, MuxCallContext.Holder? before) => (_entered, _before) = (entered, before);

    /// <summary>Restores the context that was current before the scope. Code that was started in the scope and still runs keeps the context.</summary>
    public void Dispose() => MuxCallContext.Restore(_before);

    /// <summary>
    /// Ends the call for all code that was started in the scope: <see cref="MuxCallContext.Current"/> is null there from now on, on every thread. The server
    /// does this when the handler has returned and its streams have ended; tests can do the same. Does not replace <see cref="Dispose"/>. May be called on any
    /// thread, and more than once.
    /// </summary>
    public void End()
    {
        if (_entered is not null) _entered.Context = null;
    }
}
