using System.Collections.Concurrent;
using Mux.TestSupport.Transports;

namespace Mux.Tests.Ordering;

/// <summary>Notes for each account which calls ran, and whether one ran while another did.</summary>
public sealed class Accounts : IAccounts, IEditor
{
    private readonly ConcurrentDictionary<int, List<int>> _numbers = new();
    private readonly ConcurrentDictionary<int, int> _running = new();
    private int _overlaps;

    /// <summary>Runs in each handler; by default nothing does.</summary>
    public Func<int, int, CancellationToken, ValueTask>? OnRun { get; set; }

    public Counter Started { get; } = new("handlers");

    public ConcurrentDictionary<int, ConcurrentBag<MuxPeer>> Callers { get; } = new();

    /// <summary>How often a handler found another one of its account running.</summary>
    public int Overlaps => Volatile.Read(ref _overlaps);

    /// <summary>The calls of an account, as they ran.</summary>
    public int[] NumbersOf(int account)
    {
        var numbers = _numbers.GetOrAdd(account, static _ => []);
        lock (numbers) return [.. numbers];
    }

    public ValueTask<int> Add(int account, int number, CancellationToken cancellationToken) => RunAsync(account, number, cancellationToken);

    public ValueTask<int> Put(int account, int number, byte[] body, CancellationToken cancellationToken) => RunAsync(account, number, cancellationToken);

    public async ValueTask Tell(int account, int number) => await RunAsync(account, number, default);

    public ValueTask<int> AddNamed(int account, int number, string? name, MuxCallOptions? options)
    {
        Callers.GetOrAdd(account, static _ => []).Add(options!.Caller!);
        return RunAsync(account, number, default);
    }

    public ValueTask<int> Edit(int writer, int number, CancellationToken cancellationToken) => RunAsync(writer, number, cancellationToken);

    public ValueTask<int> Paste(int writer, int number, byte[] body, CancellationToken cancellationToken) => RunAsync(writer, number, cancellationToken);

    private async ValueTask<int> RunAsync(int account, int number, CancellationToken cancellationToken)
    {
        if (_running.AddOrUpdate(account, 1, static (_, count) => count + 1) != 1) Interlocked.Increment(ref _overlaps);
        var numbers = _numbers.GetOrAdd(account, static _ => []);
        lock (numbers) numbers.Add(number);
        Started.Add();
        try
        {
            if (OnRun is { } run) await run(account, number, cancellationToken);
            return number;
        }
        finally
        {
            _running.AddOrUpdate(account, 0, static (_, count) => count - 1);
        }
    }
}
