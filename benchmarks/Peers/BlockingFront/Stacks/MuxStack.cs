using System.Globalization;

namespace BlockingFront.Stacks;

/// <summary>Mux with all its defaults.</summary>
internal sealed class MuxStack : Stack
{
    private const string AnyPort = "mux://127.0.0.1:0";

    public override string Name => "mux";

    public override async Task RunBackAsync(Func<int, Task> announce)
    {
        await using var server = new MuxServer(AnyPort).AddService<INumbers>(new Back());
        server.Start();
        await announce(server.Address.Port);
    }

    public override async Task RunFrontAsync(int back, Func<int, Task> announce)
    {
        await using var channel = Open(back);
        await using var server = new MuxServer(AnyPort).AddService<INumbers>(new Front(channel.CreateProxy<INumbers>()));
        server.Start();
        await announce(server.Address.Port);
    }

    public override ICallers Connect(int front) => new Callers(Open(front));

    private static MuxChannel Open(int port) => MuxChannel.Create(string.Create(CultureInfo.InvariantCulture, $"mux://127.0.0.1:{port}"));

    private sealed class Back : INumbers
    {
        public async ValueTask<int> Increment(int number)
        {
            await Task.Delay(BackTime);
            return number + 1;
        }
    }

    private sealed class Front(INumbers back) : INumbers
    {
        public ValueTask<int> Increment(int number) => new(back.Increment(number).AsTask().Result);
    }

    private sealed class Callers(MuxChannel channel) : ICallers
    {
        private readonly INumbers _numbers = channel.CreateProxy<INumbers>();

        public ValueTask<int> CallAsync(int number) => _numbers.Increment(number);

        public ValueTask DisposeAsync() => channel.DisposeAsync();
    }
}
