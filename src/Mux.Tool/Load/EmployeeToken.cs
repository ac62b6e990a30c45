using Mux.Tool.Workloads;

namespace Mux.Tool.Load;

/// <inheritdoc/>
internal sealed class EmployeeToken(IDirectory directory, LoadState state, int index, int tokens) : CallToken(state, index, tokens)
{
    protected override async Task MakeCallsAsync()
    {
        while (TryNext(out long number))
        {
            try
            {
                var reply = await directory.SearchAsync(new SearchEmployee { Id = 1, RequestTime = number }).ConfigureAwait(false);
                End(DirectoryService.IsAnswerTo(number, reply));
            }
            catch (MuxException error)
            {
                await FailAsync(error).ConfigureAwait(false);
            }
        }
    }
}
