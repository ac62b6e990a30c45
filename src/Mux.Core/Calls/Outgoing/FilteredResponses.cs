using System.Runtime.CompilerServices;

namespace Mux.Calls;

/// <summary>
/// The response stream of a call with filters, as its caller reads it: the filters wait while the caller takes the items of the stream inside them, and the
/// caller gets its end when they have ended.
/// </summary>
/// <param name="throwUnlessEnded">When the filters have ended: throws unless the stream ended well.</param>
[System.Diagnostics.CodeAnalysis.SuppressMessage("Design", "CA1001", Justification = "The stream inside is disposed with this one.")]
internal sealed class FilteredResponses<T>(Action throwUnlessEnded) : IAsyncEnumerator<T>
{
    private const int Waiting = 0;
    private const int Opened = 1;
    private const int Dropped = 2;

    // Neither must the code of the caller run inside the filters, nor theirs inside that of the caller.
    private readonly TaskCompletionSource _opened = new(TaskCreationOptions.RunContinuationsAsynchronously);

    private readonly TaskCompletionSource _passed = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private Task _filters = Task.CompletedTask;
    private volatile IAsyncEnumerator<T>? _source;
    private int _state;
    private bool _isPassed; // the caller's
    private Exception? _error;

    public T Current { get; private set; } = default!;

    /// <summary>Sets the task of the filters, which have been started.</summary>
    public void EndWith(Task filters) => _filters = filters;

    /// <summary>Inside the filters: opens the stream, and waits until the caller has taken all of its items.</summary>
    /// <exception cref="OperationCanceledException">The caller has disposed its enumerator before the end.</exception>
    public async Task PassAsync(Func<IAsyncEnumerator<T>> open)
    {
        if (Interlocked.CompareExchange(ref _state, Opened, Waiting) != Waiting) throw Disposed();
        try
        {
            _source = open();
        }
        finally
        {
            _opened.TrySetResult();
        }

        await _passed.Task.ConfigureAwait(false);
    }

    public ValueTask<bool> MoveNextAsync()
    {
        if (_source is not { } source || _isPassed || _filters.IsCompleted) return MoveSlowlyAsync(default, isMoving: false);
        ValueTask<bool> moving;
        try
        {
            moving = source.MoveNextAsync();
            if (moving.IsCompletedSuccessfully)
            {
#pragma warning disable VSTHRD002 // it is complete
                if (!moving.Result) return MoveSlowlyAsync(new ValueTask<bool>(false), isMoving: true);
#pragma warning restore VSTHRD002
                Current = source.Current;
                return new ValueTask<bool>(true);
            }
        }
        catch (Exception error)
        {
            moving = ValueTask.FromException<bool>(error);
        }

        return MoveSlowlyAsync(moving, isMoving: true);
    }

    public async ValueTask DisposeAsync()
    {
        if (Interlocked.CompareExchange(ref _state, Dropped, Waiting) == Opened)
        {
            await _opened.Task.ConfigureAwait(false);
            await EndItemsAsync(Disposed()).ConfigureAwait(false);
        }

        await _filters.ConfigureAwait(false);
    }

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    private async ValueTask<bool> MoveSlowlyAsync(ValueTask<bool> moving, bool isMoving)
    {
        if (!isMoving && _source is null) await Task.WhenAny(_opened.Task, _filters).ConfigureAwait(false);
        if (_source is { } source && !_isPassed && !_filters.IsCompleted)
        {
            try
            {
                if (isMoving ? await moving.ConfigureAwait(false) : await source.MoveNextAsync().ConfigureAwait(false))
                {
                    Current = source.Current;
                    return true;
                }
            }
            catch (Exception error)
            {
                _error = error;
            }
        }

        await EndItemsAsync(null).ConfigureAwait(false);
        await _filters.ConfigureAwait(false);
        throwUnlessEnded();
        return false;
    }

    /// <summary>Lets the filters continue: the caller takes no more items.</summary>
    private async ValueTask EndItemsAsync(Exception? reason)
    {
        if (_isPassed) return;
        _isPassed = true;
        Current = default!;
        try
        {
            if (_source is { } source) await source.DisposeAsync().ConfigureAwait(false);
        }
        catch (Exception error)
        {
            _error ??= error;
        }

        if ((_error ?? reason) is { } thrown) _passed.TrySetException(thrown);
        else _passed.TrySetResult();
    }

    private static OperationCanceledException Disposed() => new("The caller disposed the response stream before its end.");
}
