using Mux.Contracts;
using Mux.Runtime;

namespace Mux.Calls;

/// <summary>The options of a call whose filters run: those of its caller, and what filters have changed. A structure inside its call.</summary>
internal struct FilteredOptions
{
    private MuxCallOptions? _options;
    private MuxMetadata? _metadata; // null until a filter reads them
    private MuxMetadata? _responseMetadata;

    /// <param name="own">The options of the caller; null for those of the scope that it calls in.</param>
    public FilteredOptions(MuxCallOptions? own) => _options = own ?? MuxCallOptions.Current;

    public MuxCallOptions? Options
    {
        readonly get => _options;
        set => (_options, _metadata, _responseMetadata) = (value, null, null);
    }

    public MuxMetadata Metadata => _metadata ??= _options?.Metadata?.Copy() ?? [];

    public MuxMetadata ResponseMetadata => _responseMetadata ??= _options?.ResponseMetadata ?? [];

    /// <summary>Gets the time limit with which the call would be sent at this moment; null for none.</summary>
    public readonly TimeSpan? TimeoutOf(MethodDescriptor method, FilterSettings settings)
    {
        var own = _options?.Timeout ?? method.Choices.Timeout ??
            (OutgoingOptions.HasDefaultTimeout(method.Shape) ? settings.CallTimeout : Timeout.InfiniteTimeSpan);
        bool inherits = settings.InheritsDeadlines && _options is not { InheritsDeadline: false };
        var inherited = inherits && AmbientCall.Left() is var left && left != Clock.Never ? TimeSpan.FromMicroseconds(left) : Timeout.InfiniteTimeSpan;
        if (own == Timeout.InfiniteTimeSpan) return inherited == Timeout.InfiniteTimeSpan ? null : inherited;
        return inherited == Timeout.InfiniteTimeSpan || own < inherited ? own : inherited;
    }

    /// <summary>Gets the options with which the call is made.</summary>
    public readonly MuxCallOptions? Effective()
    {
        if (_metadata is null && _responseMetadata is null) return _options;
        var options = _options ?? s_none;
        return new MuxCallOptions
        {
            Timeout = options.Timeout,
            Metadata = _metadata ?? options.Metadata,
            ResponseMetadata = _responseMetadata ?? options.ResponseMetadata,
            Priority = options.Priority,
            Key = options.Key,
            Idempotent = options.Idempotent,
            Retries = options.Retries,
            WaitForReady = options.WaitForReady,
            Acknowledged = options.Acknowledged,
            InheritsDeadline = options.InheritsDeadline,
        };
    }

    private static readonly MuxCallOptions s_none = new();
}
