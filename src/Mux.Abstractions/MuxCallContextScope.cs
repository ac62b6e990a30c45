namespace Mux;

/// <summary>The scope that <see cref="MuxCallContext.Enter"/> opens; disposing it ends the scope.</summary>
public readonly struct MuxCallContextScope : IDisposable
{
    private readonly MuxCallContext? _before;

    internal MuxCallContextScope(MuxCallContext? before) => _before = before;

    /// <summary>Restores the context that was current before the scope.</summary>
    public void Dispose() => MuxCallContext.Restore(_before);
}
