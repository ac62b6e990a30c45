using System.Collections.Concurrent;
using Mux.TestSupport.Transports;

namespace Mux.Tests.Ordering;

/// <summary>Notes which call of an account came last, and how many came after a later one.</summary>
internal sealed class AccountNotes : IAccounts
{
    private readonly ConcurrentDictionary<int, int> _last = new();
    private int _outOfOrder;

    public Counter Ran { get; } = new("handlers that ran");

    public int OutOfOrder => Volatile.Read(ref _outOfOrder);

    public int LastOf(int account) => _last.GetValueOrDefault(account, -1);

    public ValueTask Tell(int account, int number)
    {
        if (number != LastOf(account) + 1) Interlocked.Increment(ref _outOfOrder);
        _last[account] = Math.Max(number, LastOf(account));
        Ran.Add();
        Thread.SpinWait(100); // so that calls wait in the sockets
        return default;
    }

    public ValueTask<int> Add(int account, int number, CancellationToken cancellationToken) => new(number);

    public ValueTask<int> Put(int account, int number, byte[] body, CancellationToken cancellationToken) => new(number);

    public ValueTask<int> AddNamed(int account, int number, string? name, MuxCallOptions? options) => new(number);
}
