using Mux.Tool.Workloads;

namespace Mux.Tool.Load;

/// <inheritdoc/>
internal sealed class EmployeeToken(IDirectory directory, CallPace pace) : CallToken(pace)
{
    public override async Task MakeCallsAsync()
    {
        while (await Pace.NextAsync().ConfigureAwait(false))
        {
            try
            {
                var reply = await directory.SearchAsync(new SearchEmployee { Id = 1, RequestTime = Pace.Number }).ConfigureAwait(false);
                Pace.End(DirectoryService.IsAnswerTo(Pace.Number, reply));
            }
            catch (MuxException error)
            {
                await Pace.FailAsync(error).ConfigureAwait(false);
            }
        }
    }
}
