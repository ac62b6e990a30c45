namespace Mux.Tests.Ordering;

/// <summary>Handlers of one account run one after the other. Each call says which one of its account it is.</summary>
[MuxService("test.Accounts", Dispatch = MuxDispatchMode.Ordered, TimeoutMilliseconds = 60_000)]
public interface IAccounts
{
    ValueTask<int> Add([MuxKey] int account, int number, CancellationToken cancellationToken = default);

    ValueTask<int> Put([MuxKey] int account, int number, byte[] body, CancellationToken cancellationToken = default);

    [MuxMethod(OneWay = true)]
    ValueTask Tell([MuxKey] int account, int number);

    ValueTask<int> AddNamed(int account, int number, [MuxKey] string? name, MuxCallOptions? options = null);
}

/// <summary>Handlers of one connection run one after the other.</summary>
[MuxService("test.Editor", Dispatch = MuxDispatchMode.Serial, TimeoutMilliseconds = 60_000)]
public interface IEditor
{
    ValueTask<int> Edit(int writer, int number, CancellationToken cancellationToken = default);

    ValueTask<int> Paste(int writer, int number, byte[] body, CancellationToken cancellationToken = default);
}
