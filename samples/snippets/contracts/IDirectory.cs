using System.Runtime.Serialization;
using Mux;

namespace Hr;

[MuxService("hr.Directory")]
public interface IDirectory
{
    ValueTask<Employee> SearchAsync(SearchEmployee query, CancellationToken cancellationToken = default);
}

[DataContract]
public sealed class SearchEmployee
{
    [DataMember(Order = 1)] public int Id { get; set; }
    [DataMember(Order = 2)] public double RequestTime { get; set; }
}

[DataContract]
public sealed class Employee
{
    [DataMember(Order = 1)] public string? Name { get; set; }
}
