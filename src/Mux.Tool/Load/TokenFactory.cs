using Mux.Tool.Workloads;

namespace Mux.Tool.Load;

/// <summary>Makes the tokens of one connection. Safe for concurrent use.</summary>
internal sealed class TokenFactory
{
    private readonly Func<int, CallPace, CallToken> _make;
    private int _made;

    public TokenFactory(MuxChannel channel, BenchConfiguration configuration)
    {
        switch (configuration.Workload)
        {
            case Workload.Employee:
                var directory = channel.CreateProxy<IDirectory>();
                _make = (_, pace) => new EmployeeToken(directory, pace);
                break;
            case Workload.Echo:
                var echo = channel.CreateProxy<IEcho>();
                _make = (filling, pace) => new EchoToken(echo, configuration.Size!.Value, filling, pace);
                break;
            default:
                var empty = channel.CreateProxy<IEmpty>();
                _make = (_, pace) => new EmptyToken(empty, pace);
                break;
        }
    }

    public CallToken Make(CallPace pace) => _make(Interlocked.Increment(ref _made), pace);
}
