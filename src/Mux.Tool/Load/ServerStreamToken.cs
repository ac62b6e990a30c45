using Mux.Tool.Workloads;

namespace Mux.Tool.Load;

/// <summary>Streams items from the server.</summary>
internal sealed class ServerStreamToken(IStreams streams, TokenPlace place, BenchConfiguration configuration, LoadState state)
    : StreamToken(place, configuration, state)
{
    protected override async Task MakeStreamAsync()
    {
        long number = NextNumber();
        long items = 0;
        await foreach (var item in streams.ReadAsync(number, Step, StreamItems).ConfigureAwait(false))
        {
            CountItem(number, DirectoryService.IsAnswerTo(number, item));
            items++;
            number = NextNumber();
            if (State.IsStopping) return;
        }

        if (items != StreamItems) CountWrongEnd();
    }
}
