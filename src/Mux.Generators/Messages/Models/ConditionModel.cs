namespace Mux.Generators.Messages.Models;

/// <summary>
/// What says whether a member is written, zero or not: a method ShouldSerializeX, or a property XSpecified, which is set when the member was read.
/// </summary>
/// <param name="Name">The name of the method or property.</param>
/// <param name="OwnerType">The class that declares it.</param>
/// <param name="IsMethod">Whether it is a method.</param>
/// <param name="NeedsAccessor">Whether it is not accessible.</param>
/// <param name="IsSet">Whether it is a property with a setter.</param>
/// <param name="SetNeedsAccessor">Whether the setter is not accessible, or only while the object is made.</param>
internal sealed record ConditionModel(string Name, string OwnerType, bool IsMethod, bool NeedsAccessor, bool IsSet, bool SetNeedsAccessor);
