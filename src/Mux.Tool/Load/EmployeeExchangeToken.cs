using Mux.Tool.Workloads;

namespace Mux.Tool.Load;

/// <inheritdoc/>
internal sealed class EmployeeExchangeToken(IStreams streams, TokenPlace place, BenchConfiguration configuration, LoadState state)
    : ExchangeToken<SearchEmployee, Employee>(place, configuration, state)
{
    protected override IAsyncEnumerable<Employee> Exchange(IAsyncEnumerable<SearchEmployee> items) => streams.SearchAsync(items);

    protected override SearchEmployee Make(long number) => new() { Id = 1, RequestTime = number };

    protected override bool IsAnswer(long number, Employee item) => DirectoryService.IsAnswerTo(number, item);
}
