using System.Runtime.Serialization;
using Mux;

namespace Cased;

[DataContract]
public sealed class Book
{
    [DataMember(Order = 1)] public string Title { get; set; } = string.Empty;
}

/// <summary>Its package and that of its messages differ in casing only.</summary>
[MuxService("cased.Reader")]
public interface IReader
{
    ValueTask<Book> Read(Book book);
}
