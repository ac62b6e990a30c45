namespace Mux.Generators.Messages.Models;

/// <summary>
/// Decides whether a member is written, zero or not: a method ShouldSerializeX, or a property XSpecified, which is set when the member is read.
/// </summary>
/// <param name="Name">Name of the method or property.</param>
/// <param name="OwnerType">Class that declares it.</param>
/// <param name="IsMethod">True if it is a method.</param>
/// <param name="NeedsAccessor">True if it is not accessible.</param>
/// <param name="IsSet">True if it is a property with a setter.</param>
/// <param name="SetNeedsAccessor">True if the setter is not accessible, or only during initialization.</param>
internal sealed record ConditionModel(string Name, string OwnerType, bool IsMethod, bool NeedsAccessor, bool IsSet, bool SetNeedsAccessor);
