namespace Mux;

/// <summary>The scope that <see cref="MuxCallOptions.Apply"/> opens; disposing it ends the scope.</summary>
public readonly struct MuxCallOptionsScope : IDisposable
{
    private readonly MuxCallOptions? _before;

    internal MuxCallOptionsScope(MuxCallOptions? before) => _before = before;

    /// <summary>Restores the options that applied before the scope.</summary>
    public void Dispose() => MuxCallOptions.Restore(_before);
}
