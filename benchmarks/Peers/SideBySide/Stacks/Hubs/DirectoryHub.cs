using Microsoft.AspNetCore.SignalR;
using SideBySide.Contracts;

namespace SideBySide.Stacks.Hubs;

/// <summary>The service as a hub of SignalR, one object per call as hubs are.</summary>
internal sealed class DirectoryHub : Hub
{
    public Employee Search(SearchEmployee query) => Answers.AnswerTo(query.RequestTime);

    public byte[] Echo(byte[] content) => content;

    public IAsyncEnumerable<Employee> Read(ReadEmployees range) => Answers.Stream(range.First, range.Count);
}
