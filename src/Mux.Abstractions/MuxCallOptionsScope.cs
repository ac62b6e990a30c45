namespace Mux;

/// <summary>Ends what <see cref="MuxCallOptions.Apply"/> began.</summary>
public readonly struct MuxCallOptionsScope : IDisposable
{
    private readonly MuxCallOptions? _before;

    internal MuxCallOptionsScope(MuxCallOptions? before) => _before = before;

    /// <summary>Puts the options in force again that were before.</summary>
    public void Dispose() => MuxCallOptions.Restore(_before);
}
