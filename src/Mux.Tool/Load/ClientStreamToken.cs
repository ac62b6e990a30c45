using Mux.Tool.Workloads;

namespace Mux.Tool.Load;

/// <summary>Streams items to the server, which checks them and reports their number at the end.</summary>
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
                CountItem(number, isRight: true); // the runtime has taken the previous item when it requests the next; the tally tells whether it was right
                number = NextNumber();
            }

            if (State.IsStopping || (StreamItems > 0 && sent == StreamItems)) return null;
            sent++;
            return DirectoryService.AnswerTo(number);
        }
    }
}
