using System.Text.Json.Serialization;
using SideBySide.Contracts;

namespace SideBySide.Stacks;

/// <summary>Source-generated JSON, the faster kind of System.Text.Json, for all stacks with JSON.</summary>
[JsonSourceGenerationOptions(System.Text.Json.JsonSerializerDefaults.Web)]
[JsonSerializable(typeof(SearchEmployee))]
[JsonSerializable(typeof(Employee))]
[JsonSerializable(typeof(IAsyncEnumerable<Employee>))]
[JsonSerializable(typeof(ReadEmployees))]
[JsonSerializable(typeof(byte[]))]
internal sealed partial class DirectoryJson : JsonSerializerContext;
