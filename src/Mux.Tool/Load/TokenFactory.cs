using Mux.Tool.Workloads;

namespace Mux.Tool.Load;

/// <summary>Creates the tokens of one connection. Thread-safe.</summary>
internal sealed class TokenFactory
{
    // With number and heads some 30 bytes in total, like a short call.
    private const int SmallPayload = 20;

    private readonly Func<int, CallPace, CallToken> _make;
    private int _made;

    public TokenFactory(Lane lane, BenchConfiguration configuration, LoadState state)
    {
        switch (configuration.Workload)
        {
            case Workload.Employee:
                var directory = lane.CreateService<IDirectory>();
                _make = (_, pace) => new EmployeeToken(directory, pace);
                break;
            case Workload.Empty:
                var empty = lane.CreateService<IEmpty>();
                _make = (_, pace) => new EmptyToken(empty, pace);
                break;
            case Workload.Method:
                var method = configuration.Method!;
                var caller = lane.CreateService(method.Called.CreateCaller);
                _make = method.HasResponseStream
                    ? (_, pace) => new MethodStreamToken(caller, configuration, state, pace)
                    : (_, pace) => new MethodToken(caller, method, state, pace);
                break;
            case Workload.Bulk:
                var bulk = lane.CreateService<IEcho>();
                _make = (_, pace) => new BulkEchoToken(bulk, configuration.Size!.Value, pace);
                break;
            default:
                var echo = lane.CreateService<IEcho>();
                int size = configuration.Traits.IsMixed ? SmallPayload : configuration.Size!.Value;
                _make = (filling, pace) => new EchoToken(echo, size, filling, pace);
                break;
        }
    }

    private TokenFactory(Func<int, CallPace, CallToken> make) => _make = make;

    /// <summary>Creates a factory for the large replies of a mixed workload.</summary>
    public static TokenFactory OfBulkReplies(Lane lane, BenchConfiguration configuration)
    {
        var bulk = lane.Channel.CreateProxy<IBulk>();
        var content = BulkContent.Make(configuration.Size!.Value);
        return new TokenFactory((_, pace) => new BulkReplyToken(bulk, content, pace));
    }

    public CallToken Make(CallPace pace) => _make(Interlocked.Increment(ref _made), pace);
}
