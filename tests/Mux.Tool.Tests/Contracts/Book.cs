using System.Runtime.Serialization;

namespace Mux.Tool.Tests.Contracts;

[DataContract]
public sealed class Book
{
    [DataMember(Order = 1)]
    public string Title { get; set; } = "";

    [DataMember(Order = 2)]
    public List<int> Pages { get; set; } = [];

    [DataMember(Order = 3)]
    public Dictionary<string, int> Copies { get; set; } = [];

    [DataMember(Order = 4)]
    public Binding Binding { get; set; }

    [DataMember(Order = 5)]
    public int? Year { get; set; }
}
