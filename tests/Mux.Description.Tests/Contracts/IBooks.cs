using System.Runtime.Serialization;

namespace Mux.Description.Tests.Contracts;

[DataContract]
public sealed class Book
{
    [DataMember(Order = 1)] public string Title { get; set; } = string.Empty;
}

/// <summary>Its package and that of its messages differ in casing only.</summary>
[MuxService("mux.description.tests.contracts.Books")]
public interface IBooks
{
    ValueTask<Book> Read(Book book);
}
