using System.Runtime.CompilerServices;

namespace Mux.Interop.Tests;

/// <summary>Serves <see cref="ILab"/>.</summary>
internal sealed class Lab : ILab
{
    private long _told;

    public ValueTask<LabNote> EchoAsync(LabNote note, MuxCallOptions? options = null)
    {
        foreach (var entry in options!.Metadata!) options.ResponseMetadata!.Add($"lab-{entry.Key}", entry.Bytes);
        return new(note);
    }

    public ValueTask<long> AddAsync(long left, long right) => new(left + right);

    public ValueTask TellAsync(string text)
    {
        Interlocked.Increment(ref _told);
        return default;
    }

    public ValueTask<long> CountToldAsync() => new(Interlocked.Read(ref _told));

    public async IAsyncEnumerable<LabNote> CountAsync(long last, long bytes, [EnumeratorCancellation] CancellationToken cancellationToken = default)
    {
        for (long number = 1; number <= last; number++) yield return new LabNote { Number = number, Bytes = bytes == 0 ? null : new byte[bytes] };
        await Task.CompletedTask;
    }

    public async ValueTask<long> TotalAsync(IAsyncEnumerable<long> numbers, CancellationToken cancellationToken = default)
    {
        long total = 0;
        await foreach (long number in numbers.WithCancellation(cancellationToken)) total += number;
        return total;
    }

    public IAsyncEnumerable<LabNote> MirrorAsync(IAsyncEnumerable<LabNote> notes, CancellationToken cancellationToken = default) => notes;

    public async ValueTask<LabNote> WaitAsync(CancellationToken cancellationToken = default)
    {
        var cancelled = new TaskCompletionSource<LabNote>(TaskCreationOptions.RunContinuationsAsynchronously);
        await using var _ = cancellationToken.Register(() => cancelled.TrySetCanceled(cancellationToken));
        return await cancelled.Task;
    }

    public ValueTask FailAsync(long status, string text) => throw new MuxException((MuxStatus)status, text) { RetryAfter = TimeSpan.FromMilliseconds(1500) };
}
