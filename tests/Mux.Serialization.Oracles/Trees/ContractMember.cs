using System.Collections;
using System.Collections.Concurrent;
using System.ComponentModel;
using System.Reflection;
using System.Runtime.Serialization;
using ProtoBuf;

namespace Mux.Serialization.Oracles.Trees;

/// <summary>A field of a contract of ours, found by reflection: the oracle knows nothing of what the generator makes.</summary>
internal sealed class ContractMember
{
    private const BindingFlags Declared = BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.DeclaredOnly;

    private static readonly ConcurrentDictionary<Type, ContractMember[]> s_members = [];

    private readonly MemberInfo _member;
    private readonly MethodInfo? _shouldSerialize;
    private readonly PropertyInfo? _specified;

    private ContractMember(int number, MemberInfo member, bool isAlwaysWritten)
    {
        Number = number;
        _member = member;
        _shouldSerialize = member.DeclaringType!.GetMethod("ShouldSerialize" + member.Name, Declared);
        _specified = member.DeclaringType!.GetProperty(member.Name + "Specified", Declared);
        Type = member is PropertyInfo property ? property.PropertyType : ((FieldInfo)member).FieldType;
        var omitted = member.GetCustomAttribute<DefaultValueAttribute>();
        Omitted = omitted?.Value;
        IsAlwaysWritten = isAlwaysWritten || omitted is { Value: null } || _shouldSerialize is not null || _specified is not null
            || member.GetCustomAttribute<ProtoMemberAttribute>() is { IsRequired: true } || member.GetCustomAttribute<DataMemberAttribute>() is { IsRequired: true };
    }

    public int Number { get; }

    public string Name => _member.Name;

    public Type Type { get; }

    /// <summary>Whether a zero is written.</summary>
    public bool IsAlwaysWritten { get; }

    /// <summary>The value that is left out instead of zero; null if that is zero.</summary>
    public object? Omitted { get; }

    /// <summary>The fields that a class has beyond those of its base, by number. None for what is no contract and no tuple.</summary>
    public static ContractMember[] Of(Type contract) => s_members.GetOrAdd(contract, static contract =>
    {
        var numbered = contract.GetMembers(Declared).Select(static member => (Number: NumberOf(member), Member: member)).Where(static entry => entry.Number > 0).OrderBy(static entry => entry.Number).ToList();
        if (numbered.Count > 0) return [.. numbered.Select(static entry => new ContractMember(entry.Number, entry.Member, isAlwaysWritten: false))];
        return IsTuple(contract) ? [.. contract.GetConstructors()[0].GetParameters().Select((parameter, i) => new ContractMember(i + 1, TupleMember(contract, parameter.Name!), !IsPair(contract)))] : [];
    });

    public object? Get(object instance) => _member is PropertyInfo property ? property.GetValue(instance) : ((FieldInfo)_member).GetValue(instance);

    /// <summary>Sets the member as a user would, and says that it is there; what only a constructor sets stays.</summary>
    public void Set(object instance, object? value)
    {
        if (_member is FieldInfo field) field.SetValue(instance, value);
        else if (_member is PropertyInfo { CanWrite: true } property) property.SetValue(instance, value);
        _specified?.SetValue(instance, true);
    }

    /// <summary>Whether the object says that the member is there; what it does not say is so.</summary>
    public bool IsThere(object instance) => (bool)(_shouldSerialize?.Invoke(instance, null) ?? _specified?.GetValue(instance) ?? true);

    private static bool IsTuple(Type type) =>
        !type.IsPrimitive && !type.IsEnum && !type.IsAssignableTo(typeof(IEnumerable)) && type.GetConstructors() is [{ } constructor, ..] && constructor.GetParameters() is { Length: > 0 } parameters
        && parameters.All(parameter => type.GetMember(parameter.Name!, BindingFlags.Instance | BindingFlags.Public | BindingFlags.IgnoreCase).Length == 1);

    // A tuple that leaves out zeros, as the entries of maps do.
    private static bool IsPair(Type type) => type.IsGenericType && type.GetGenericTypeDefinition() == typeof(KeyValuePair<,>);

    private static MemberInfo TupleMember(Type type, string name) => type.GetMember(name, BindingFlags.Instance | BindingFlags.Public | BindingFlags.IgnoreCase).Single();

    private static int NumberOf(MemberInfo member) =>
        member.GetCustomAttribute<ProtoMemberAttribute>()?.Tag ?? member.GetCustomAttribute<DataMemberAttribute>()?.Order ?? 0;
}
