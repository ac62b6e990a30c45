using Mux.Tool.Workloads;

namespace Mux.Tool.Load;

/// <inheritdoc/>
internal sealed class EmployeeToken(ReplaceableProxy<IDirectory> directory, CallPace pace) : CallToken(pace)
{
    public override async Task MakeCallsAsync()
    {
        while (await Pace.NextAsync().ConfigureAwait(false))
        {
            try
            {
                var request = new SearchEmployee { Id = 1, RequestTime = Pace.Number };
                var reply = await directory.Current.SearchAsync(request, Pace.CancellationToken).ConfigureAwait(false);
                Pace.End(DirectoryService.IsAnswerTo(Pace.Number, reply));
            }
            catch (Exception error) when (error is MuxException or OperationCanceledException)
            {
                await Pace.FailAsync(error).ConfigureAwait(false);
            }
        }
    }
}
