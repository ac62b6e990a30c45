using Mux.TestSupport.Transports;
using Mux.Tool.Workloads;

namespace Mux.Tool.Tests.Processes;

/// <summary>Answers its call when the test says.</summary>
internal sealed class HeldEcho(Signal started, Signal answer) : IEcho
{
    public async ValueTask<byte[]> EchoAsync(byte[] payload, CancellationToken cancellationToken)
    {
        started.Set();
        await answer.WaitAsync();
        return payload;
    }
}
