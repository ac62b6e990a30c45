using Mux.Tests.Contracts;

namespace Mux.Tests.Trimmed;

internal sealed class Relay : IRelay
{
    public ValueTask<string> Pass(int timesLeft, string path, CancellationToken cancellationToken = default) => new($"{path} {timesLeft}");
}
