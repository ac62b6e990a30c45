using Mux;

namespace Errors;

[MuxService("bank.Accounts"), MuxError<Throttled>(1)]
public interface IAccounts
{
    /// <summary>Every failure is an exception.</summary>
    ValueTask<int> Balance(int account, MuxCallOptions? options = null, CancellationToken cancellationToken = default);

    /// <summary>That there is too little is an everyday answer, so failures are values.</summary>
    [MuxError<TooLittle>(2)]
    ValueTask<MuxResult<int>> Withdraw(int account, int amount, CancellationToken cancellationToken = default);

    ValueTask Import(byte[] statement, CancellationToken cancellationToken = default);
}
