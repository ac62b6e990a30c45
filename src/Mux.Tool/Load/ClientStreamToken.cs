using Mux.Tool.Workloads;

namespace Mux.Tool.Load;

/// <summary>Items to the server, which checks them and tells in the end how many came.</summary>
internal sealed class ClientStreamToken(IStreams streams, TokenPlace place, BenchConfiguration configuration, LoadState state)
    : StreamToken(place, configuration, state)
{
    protected override async Task MakeStreamAsync()
    {
        long first = NextNumber(), number = first, sent = 0;
        var tally = await streams.CountAsync(first, Step, new ItemSequence<Employee>(Next)).ConfigureAwait(false);
        if (tally.Wrong > 0 || tally.Items != sent) CountWrongEnd();

        Employee? Next()
        {
            if (sent > 0)
            {
                CountItem(number, isRight: true); // asked for the next one, the runtime has taken the one before; whether it was right the tally tells
                number = NextNumber();
            }

            if (State.IsStopping || (StreamItems > 0 && sent == StreamItems)) return null;
            sent++;
            return DirectoryService.AnswerTo(number);
        }
    }
}
