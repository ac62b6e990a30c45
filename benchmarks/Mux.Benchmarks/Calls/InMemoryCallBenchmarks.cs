using BenchmarkDotNet.Attributes;
using Mux.Transports.InMemory;

namespace Mux.Benchmarks.Calls;

/// <summary>
/// Whole calls, both sides on one thread, without an operating system in between: proxy, encode, slot, frames, decode, handler, and back. A batch of
/// <see cref="InFlight"/> calls is started, delivered and answered; figures per call. The 400 bytes are the three messages' objects.
/// </summary>
[MemoryDiagnoser]
public class InMemoryCallBenchmarks
{
    private readonly InMemoryTransport _transport = new(new InMemoryTransportOptions { ManualPump = true, CapacityBytes = 1 << 20 });
    private readonly SearchEmployee _request = new() { Id = 1, RequestTime = 1 };
    private MuxServer? _server;
    private MuxChannel? _channel;
    private IDirectory? _directory;
    private ValueTask<Employee>[] _calls = []; // each is consumed once, after the pump

    [Params(1, 200)]
    public int InFlight { get; set; }

    [GlobalSetup]
    public void Setup()
    {
        _server = new MuxServer(new MuxServerOptions { Address = "mux://memory:1", MaxConnections = 1, Transport = _transport }).AddService<IDirectory>(new DirectoryService());
        _server.Start();
        _channel = MuxChannel.Create(new MuxChannelOptions { Address = "mux://memory:1", Transport = _transport });
        _directory = _channel.CreateProxy<IDirectory>();
        _calls = new ValueTask<Employee>[InFlight];
    }

    [Benchmark]
    public double Call()
    {
        for (int i = 0; i < _calls.Length; i++) _calls[i] = _directory!.Search(_request);
        _transport.Pump();
        double sum = 0;
        foreach (var call in _calls) sum += call.GetAwaiter().GetResult().RequestTime;
        return sum;
    }

    private sealed class DirectoryService : IDirectory
    {
        public ValueTask<Employee> Search(SearchEmployee query, CancellationToken cancellationToken) => new(Employee.Example(query.RequestTime));
    }
}
