using System.Runtime.CompilerServices;
using Microsoft.Extensions.Logging;
using Mux.Contracts;
using Mux.Filters;
using Mux.Runtime;

namespace Mux.Calls;

/// <summary>
/// A call on its way through its filters: which step comes next, and the outcome so far. The steps run one inside the other, on any threads. Reused, unless a
/// step was left while those inside it still ran.
/// </summary>
/// <remarks>
/// State word: use &lt;&lt; 8 | position. A step is taken by a compare-and-swap, so that each runs once; the use grows and never recurs, so that a filter
/// which kept its <see cref="MuxNext"/> cannot run a step of the next call. A step that is left while those inside it still run closes the word: its position
/// becomes the mask, which is no step, so what still runs can start nothing more.
/// </remarks>
internal abstract class FilterRun : MuxCall
{
    private const int PositionBits = 8;
    private const long PositionMask = (1 << PositionBits) - 1;
    private const long UsesPerObject = 1L << 32;
    private const int Running = int.MaxValue;

    private static long s_words; // each object begins far from the others: a right of one call must not fit another

    private FilterPlan _plan = null!; // null while idle
    private long _word = Interlocked.Add(ref s_words, UsesPerObject);
    private volatile int _left = Running; // the step that was left last
    private long _startedAt;
    private bool _hasStarted;
    private bool _hasResponse;
    private EarlyEnd? _early; // the outcome once a step was left too early: what still runs inside it may set others at any time
    private Exception? _exception;
    private MuxFailure? _failure;
    private Dictionary<object, object?>? _items;

    /// <summary>True if the innermost step was taken: the handler has started, or on a channel the request may have been sent.</summary>
    public bool HasStarted => _hasStarted;

    /// <summary>True if the outcome is a reply, or the end of a response stream.</summary>
    public bool HasResponse => _hasResponse && _early is null;

    /// <summary>True if nothing uses the object any more: every step inside another was left before it.</summary>
    public bool IsWhole => _left == 0;

    public sealed override IDictionary<object, object?> Items => _items ??= [];

    public sealed override bool HasOutcome => HasResponse || Failure is not null || Exception is not null;

    public sealed override Exception? Exception => _early is { } early ? early.Error : _exception;

    public override MuxFailure? Failure => _early is null ? _failure : null;

    public sealed override MuxStatus? Status => Exception is { } error ? StatusOf(error) : Failure is { } failure ? failure.Status
        : HasResponse ? MuxStatus.Ok : null;

    public sealed override TimeSpan Elapsed => _plan.ReadsElapsed
        ? TimeSpan.FromMicroseconds(_plan.Clock.Now - _startedAt)
        : throw new InvalidOperationException($"The calls of {Method.FullName} are not measured: {nameof(MuxFilter.ReadsElapsed)} is false for all of its " +
            "filters. Let it be true for the filter that reads the time.");

    protected FilterPlan Plan => _plan;

    /// <summary>True if a filter has set a response stream, which is to be run when the filter is left.</summary>
    protected virtual bool HasOwnStream => false;

    public sealed override void Fail(MuxFailure failure)
    {
        ArgumentNullException.ThrowIfNull(failure);
        (_failure, _exception, _hasResponse) = (failure, null, false);
    }

    /// <summary>Begins a call.</summary>
    protected void Begin(FilterPlan plan)
    {
        _plan = plan;
        _left = Running;
        if (plan.ReadsElapsed) _startedAt = plan.Clock.Now;
    }

    /// <summary>Guards what has no effect any more when the handler or the call has begun.</summary>
    /// <exception cref="InvalidOperationException">It has begun.</exception>
    protected void ThrowIfStarted()
    {
        if (_hasStarted) throw new InvalidOperationException($"The call of {Method.FullName} has started: change it before MuxNext.RunAsync.");
    }

    /// <summary>Runs all filters. The outcome is in this object; the task only tells when.</summary>
    protected ValueTask StartAsync() => RunAsync(_plan.Filters[0], 0, new MuxNext(++_word)); // nothing else has a right to this step

    /// <summary>Forgets the call, for the next one.</summary>
    protected void Forget()
    {
        _word = (_word | PositionMask) + 1;
        (_plan, _early, _exception, _failure, _items) = (null!, null, null, null, null);
        (_hasStarted, _hasResponse) = (false, false);
    }

    protected sealed override ValueTask ContinueAsync(long ticket)
    {
        if (Interlocked.CompareExchange(ref _word, ticket + 1, ticket) != ticket) ThrowRepeated();
        int position = (int)(ticket & PositionMask);
        var filters = _plan.Filters;
        return (uint)position < (uint)filters.Length ? RunAsync(filters[position], position, new MuxNext(ticket + 1)) : RunInnermost();
    }

    /// <summary>Runs the handler, or makes the call, and sets the outcome.</summary>
    /// <returns>A task that fails with the exception that it has set as the outcome.</returns>
    protected abstract ValueTask InvokeAsync();

    /// <summary>Runs the response stream that a filter has set.</summary>
    /// <inheritdoc cref="InvokeAsync"/>
    protected virtual ValueTask RunOwnStreamAsync() => default;

    /// <summary>Gets the status that the other side or the caller sees for an exception.</summary>
    protected abstract MuxStatus StatusOf(Exception error);

    /// <summary>Sets the outcome to a reply, or the end of a response stream.</summary>
    protected void SetHasResponse()
    {
        _hasResponse = true;
        if (_failure is not null || _exception is not null) (_failure, _exception) = (null, null);
    }

    /// <summary>Sets the outcome to an exception.</summary>
    protected void SetException(Exception error) => (_exception, _failure, _hasResponse) = (error, null, false);

    /// <summary>The handler has ended: tells the filter around it that nothing runs inside it any more.</summary>
    protected void LeaveInnermost() => _left = _plan.Filters.Length;

    private ValueTask RunInnermost()
    {
        _hasStarted = true;
        return InvokeAsync();
    }

    private ValueTask RunAsync(MuxFilter filter, int position, MuxNext next)
    {
        ValueTask running;
        try
        {
            running = filter.RunAsync(this, next);
        }
        catch (Exception error)
        {
            return LeaveFailed(position, error);
        }

        if (!running.IsCompletedSuccessfully || HasOwnStream) return AwaitAsync(filter, position, running);
        running.GetAwaiter().GetResult(); // a pooled source is returned to its pool only when its result is taken
        return Leave(filter, position) is { } mistake ? LeaveFailed(position, mistake) : default;
    }

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder))]
    private async ValueTask AwaitAsync(MuxFilter filter, int position, ValueTask running)
    {
        try
        {
            await running.ConfigureAwait(false);
            if (HasOwnStream) await RunOwnStreamAsync().ConfigureAwait(false);
            if (Leave(filter, position) is { } mistake) throw mistake;
        }
        catch (Exception error)
        {
            await LeaveFailed(position, error).ConfigureAwait(false);
        }
    }

    /// <summary>Leaves a step whose filter has thrown.</summary>
    private ValueTask LeaveFailed(int position, Exception error)
    {
        bool isLast = _left == position || IsInsideLeft(position);
        if (!isLast || _early is not null) LeaveEarly(position, error);
        else if (!ReferenceEquals(_exception, error)) SetException(error);
        if (isLast) _left = position;
        return ValueTask.FromException(error);
    }

    /// <summary>Leaves a step.</summary>
    /// <returns>The mistake of its filter; null if there is none.</returns>
    private FilterMistake? Leave(MuxFilter filter, int position)
    {
        if (IsInsideLeft(position))
        {
            _left = position;
            return HasOutcome ? null : ReturnedNothing(filter);
        }

        bool isInsideEarly = Volatile.Read(ref _early)?.Position == position + 1; // then this filter has awaited what follows it
        var mistake = isInsideEarly ? null : ReturnedEarly(filter);
        LeaveEarly(position, mistake ?? _early!.Error);
        return mistake;
    }

    /// <summary>Leaves a step while those inside it still run. From now on none of them begins, and none sets the outcome.</summary>
    /// <param name="position">The step.</param>
    /// <param name="error">The outcome, unless a filter outside this one throws another exception.</param>
    private void LeaveEarly(int position, Exception error)
    {
        var early = new EarlyEnd(position, error);
        for (var known = Volatile.Read(ref _early); known is null || known.Position > position;)
        {
            var found = Interlocked.CompareExchange(ref _early, early, known);
            if (ReferenceEquals(found, known)) break;
            known = found;
        }

        long last = Interlocked.Or(ref _word, PositionMask) & PositionMask;
        if (last != PositionMask && last > _plan.Filters.Length) _hasStarted = true; // its thread may not have said so yet
    }

    /// <summary>True if the steps inside this one were left. If none has begun, none can begin from now on.</summary>
    private bool IsInsideLeft(int position)
    {
        if (_left == position + 1) return true;
        long word = Volatile.Read(ref _word);
        return (word & PositionMask) == position + 1 && Interlocked.CompareExchange(ref _word, word | PositionMask, word) == word;
    }

    [System.Diagnostics.CodeAnalysis.DoesNotReturn]
    private static void ThrowRepeated() => throw new FilterMistake("A filter ran what follows it a second time, or after its call",
        "A filter ran what follows it a second time, or after its call, or with another call: MuxNext.RunAsync may run at most once, before the filter " +
        "returns.");

    private FilterMistake ReturnedEarly(MuxFilter filter) => new("A filter returned before what follows it had ended",
        $"The filter {filter.GetType()} returned before what follows it had ended, in a call of {Method.FullName}: await MuxNext.RunAsync.");

    private FilterMistake ReturnedNothing(MuxFilter filter) => new("A filter neither ran what follows it nor ended the call",
        $"The filter {filter.GetType()} neither ran what follows it nor ended the call, in a call of {Method.FullName}: await MuxNext.RunAsync, or call " +
        $"{nameof(SetResponse)} or {nameof(Fail)}.");

    /// <summary>The outcome of a call with a step that was left early; of several, that of the outermost.</summary>
    private sealed class EarlyEnd(int position, Exception error)
    {
        public int Position => position;

        public Exception Error => error;
    }
}

/// <summary>Log messages of the filters that come with the runtime. Users filter by event name, so the names do not change. Never logs a payload.</summary>
internal static partial class FilterLog
{
    [LoggerMessage(EventId = EventIds.FilteredCallEnded, Message = "{Side} call of {Method}, peer {Peer}, user {User}, ended with {Status} after " +
        "{Milliseconds:0.000} ms; {ItemsSent} items sent, {ItemsReceived} received.", EventName = "FilteredCallEnded")]
    public static partial void CallEnded(ILogger logger, LogLevel level, MuxCallSide side, string method, string peer, string? user, MuxStatus? status,
        double milliseconds, long itemsSent, long itemsReceived, Exception? error);

    [LoggerMessage(EventIds.ExceptionMapped, LogLevel.Debug, "An exception in a call of {Method} is answered with {Status}.", EventName = "ExceptionMapped")]
    public static partial void ExceptionMapped(ILogger logger, string method, MuxStatus status, Exception error);
}

/// <summary>A filter does not keep to its contract: what follows was not run, was run twice or was not awaited. A class of its own, so that no row for
/// exceptions of handlers answers it.</summary>
/// <param name="told">What the filter did, for the peer whose call it was: without the names of types.</param>
/// <param name="message">What it did, and what to change.</param>
internal sealed class FilterMistake(string told, string message) : InvalidOperationException(message)
{
    public string Told => told;
}

/// <summary>Finds the full names of the methods of a contract.</summary>
internal sealed class MethodNames : IMethodVisitor
{
    private const string AsyncSuffix = "Async"; // generated wire names leave it out

    private readonly HashSet<string> _names = new(StringComparer.Ordinal);

    private MethodNames()
    {
    }

    /// <summary>Gets the full name of one method, or of all.</summary>
    /// <param name="method">The name of the method, with or without the suffix Async; null for all.</param>
    /// <exception cref="ArgumentException">The contract has no such method.</exception>
    /// <exception cref="InvalidOperationException">The interface is not a contract.</exception>
    public static IReadOnlySet<string> Of<TContract>(string? method)
        where TContract : class
    {
        var visitor = new MethodNames();
        ServiceContract<TContract>.Get().Describe(visitor);
        if (method is null) return visitor._names;
        string plain = method.EndsWith(AsyncSuffix, StringComparison.Ordinal) ? method[..^AsyncSuffix.Length] : method;
        var found = visitor._names.Where(name => Short(name) == method).ToHashSet(StringComparer.Ordinal);
        if (found.Count == 0) found = visitor._names.Where(name => Short(name) == plain).ToHashSet(StringComparer.Ordinal);
        return found.Count > 0 ? found : throw new ArgumentException(
            $"{typeof(TContract)} has no method '{method}': expected {string.Join(", ", visitor._names.Select(Short).Order(StringComparer.Ordinal))}.",
            nameof(method));
    }

    public void Unary<TRequest, TResponse>(UnaryMethod<TRequest, TResponse> method) => _names.Add(method.Descriptor.FullName);

    public void Stream<TRequest, TItem, TResponse>(StreamMethod<TRequest, TItem, TResponse> method) => _names.Add(method.Descriptor.FullName);

    private static string Short(string fullName) => fullName[(fullName.LastIndexOf('/') + 1)..];
}
