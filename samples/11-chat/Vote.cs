using System.Runtime.Serialization;

namespace Chat;

/// <param name="Yes">How many agreed.</param>
/// <param name="No">How many did not.</param>
/// <param name="Silent">How many could not be asked, or left before they answered.</param>
[DataContract]
public sealed record Vote([property: DataMember(Order = 1)] int Yes, [property: DataMember(Order = 2)] int No, [property: DataMember(Order = 3)] int Silent);
