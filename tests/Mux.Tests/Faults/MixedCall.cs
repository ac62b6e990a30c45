namespace Mux.Tests.Faults;

/// <summary>A call of the exchange, and how it ended.</summary>
internal sealed class MixedCall(int id, string name)
{
    public int Id => id;

    /// <summary>What it does when nothing goes wrong: a status, <see cref="MuxStatus.Ok"/> unless set.</summary>
    public MuxStatus Expected { get; init; }

    /// <summary>Items it brings when nothing goes wrong.</summary>
    public int ExpectedItems { get; init; }

    public bool IsOneWay { get; init; }

    /// <summary>Ended early by its caller.</summary>
    public bool IsPartial { get; init; }

    /// <summary>Whether a handler of this method is there.</summary>
    public bool IsKnown { get; init; } = true;

    public int Completions { get; private set; }

    public MuxStatus Status { get; private set; }

    public MuxExecution? Execution { get; private set; }

    public Exception? Error { get; private set; }

    public int Items { get; set; }

    /// <summary>What came that was not its own.</summary>
    public string? Foreign { get; set; }

    public TimeSpan CompletedAfter { get; private set; }

    public async Task RunAsync(Func<MixedCall, ValueTask> body, TimeProvider time)
    {
        long start = time.GetTimestamp();
        try
        {
            await body(this).ConfigureAwait(false);
        }
        catch (MuxException error)
        {
            (Status, Execution, Error) = (error.Status, error.Execution, error);
        }
        catch (OperationCanceledException error)
        {
            (Status, Error) = (MuxStatus.Cancelled, error);
        }
        catch (Exception error)
        {
            (Foreign, Error) = ($"{error.GetType()}: {error.Message}", error);
        }

        CompletedAfter = time.GetElapsedTime(start);
        Completions++;
    }

    public override string ToString() => $"call {id} ({name}): {(Completions == 0 ? "open" : Status)}, {Execution}, {Items} items, completed {Completions} times{(Foreign is null ? null : $", got {Foreign}")}{(Error is null ? null : $", {Error.Message}")}";
}
