using Mux;

namespace Errors;

/// <summary>Account 1 has 100; account 2 is read by a handler with a mistake in it, account 3 by one that takes its time.</summary>
public sealed class Accounts : IAccounts
{
    private readonly Lock _gate = new(); // one instance serves all calls, which run at the same time
    private int _balance = 100;
    private int _withdrawals;

    public async ValueTask<int> Balance(int account, MuxCallOptions? options, CancellationToken cancellationToken)
    {
        options!.ResponseMetadata!["served-by"] = "node-4";
        if (options.Metadata!["tenant"] is not { } tenant) throw new MuxException(MuxStatus.InvalidArgument, "Metadata 'tenant' is missing.");
        if (account == 2) throw new InvalidOperationException("The connection string is Server=db;Password=1234.");
        if (account == 3) await Task.Delay(Timeout.Infinite, cancellationToken);
        if (account != 1) throw new MuxException(MuxStatus.NotFound, $"{tenant} has no account {account}.");
        lock (_gate) return _balance;
    }

    public ValueTask<MuxResult<int>> Withdraw(int account, int amount, CancellationToken cancellationToken)
    {
        lock (_gate)
        {
            if (++_withdrawals % 3 == 0) return new(new MuxFailure(MuxStatus.ResourceExhausted, "Too busy.", new Throttled(10)) { RetryAfter = TimeSpan.FromMilliseconds(100) });
            if (amount > _balance) return new(new MuxFailure(MuxStatus.FailedPrecondition, "There is too little.", new TooLittle(_balance, amount - _balance)));
            return new(_balance -= amount);
        }
    }

    public ValueTask Import(byte[] statement, CancellationToken cancellationToken) => default;
}
