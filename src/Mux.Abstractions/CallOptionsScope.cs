namespace Mux;

/// <summary>Ends what <see cref="CallOptions.Apply"/> began.</summary>
public readonly struct CallOptionsScope : IDisposable
{
    private readonly CallOptions? _before;

    internal CallOptionsScope(CallOptions? before) => _before = before;

    /// <summary>Puts the options in force again that were before.</summary>
    public void Dispose() => CallOptions.Restore(_before);
}
