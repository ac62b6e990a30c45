using System.Runtime.Serialization;

namespace Chat;

/// <param name="Yes">How many agreed.</param>
/// <param name="No">How many did not.</param>
/// <param name="Silent">How many could not be asked, or left before they answered.</param>
/// <param name="Reasons">Why those are silent, each with its name; empty if all have answered.</param>
[DataContract]
public sealed record Vote([property: DataMember(Order = 1)] int Yes, [property: DataMember(Order = 2)] int No, [property: DataMember(Order = 3)] int Silent,
    [property: DataMember(Order = 4)] string Reasons);
